" SPDX-License-Identifier: Apache-2.0
" Programs of the vector engine, .dve version 1 (docs/text.md).
if exists('b:current_syntax')
  finish
endif
syntax case match

syntax match dveMnemonic /^\s*\zs\a\w*/
syntax match dveDirective /^\s*\zs\.\(dve\|gen\|tensor\)\>/
syntax match dveField /\<\a\w*\ze\s*=/
syntax match dveNumber /\<\(0x\x\+\|\d\+\)\>/
syntax match dveFloat /[-+]\?\<\(\d\+\.\d*\|\.\d\+\|\d\+\ze[eE]\)\([eE][-+]\?\d\+\)\?\>/
syntax match dveFloat /[-+]\?\<\(inf\|nan\)\>/
syntax keyword dveSpace sbuf psum reg shape_reg addr_shape_reg indirect
syntax keyword dveType fp32 fp32r fp16 bf16 fp8_e3m4 fp8_e4m3 fp8_e5m2 int8 uint8 int16 uint16 int32 uint32
syntax match dveType /\<dtype:0x\x\+/
syntax match dveBytes /\(^\s*raw\s\)\@<=[[:xdigit:] \t]\+/
syntax match dveAddress /@0x\x\+/
syntax match dveComment /[#;].*$/ contains=dveTodo,@Spell
syntax keyword dveTodo TODO FIXME XXX contained

highlight default link dveMnemonic Statement
highlight default link dveDirective PreProc
highlight default link dveField Identifier
highlight default link dveNumber Number
highlight default link dveFloat Float
highlight default link dveBytes Number
highlight default link dveAddress Number
highlight default link dveSpace StorageClass
highlight default link dveType Type
highlight default link dveComment Comment
highlight default link dveTodo Todo

let b:current_syntax = 'dve'
