" SPDX-License-Identifier: Apache-2.0
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1
setlocal commentstring=#\ %s comments=:#,:; makeprg=opendve\ check\ %:S
setlocal errorformat=opendve:\ %f:%l:%c:\ %m,%f:%l:%c:\ %m,%-G%.%#
let b:undo_ftplugin = 'setlocal commentstring< comments< makeprg< errorformat<'
