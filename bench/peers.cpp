// SPDX-License-Identifier: Apache-2.0
// What the standard library makes of the same work as Max8 and FindIndex8: the 8 largest of each of 128 rows and where
// they stand. Prints one JSON object a number of columns: medians of 15 runs in microseconds, each behind one that is
// not timed. Usage: peers COLUMNS...
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

constexpr std::size_t rows = 128, k = 8, runs = 15;
using best = std::vector<std::pair<float, std::uint32_t>>;

std::uint64_t next(std::uint64_t &state)        // splitmix64, as opendve bench
{
    std::uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

float normal(std::uint64_t &state)
{
    std::uint64_t a = next(state), b = next(state);
    double sum = double(std::uint32_t(a)) + double(a >> 32) + double(std::uint32_t(b)) + double(b >> 32);
    return float((sum / 4294967296.0 - 2.0) * 1.7320508);
}

void partial_sort(const float *row, std::size_t n, std::vector<std::uint32_t> &order, best &out)
{
    std::iota(order.begin(), order.end(), 0u);
    std::partial_sort(order.begin(), order.begin() + k, order.end(), [row](std::uint32_t a, std::uint32_t b) {
        return row[a] > row[b] || (row[a] == row[b] && a < b);
    });
    for (std::size_t i = 0; i < k; i++)
        out[i] = {row[order[i]], order[i]};
    (void)n;
}

// A heap of the 8 largest so far, the smallest of them on top.
void heap(const float *row, std::size_t n, std::vector<std::uint32_t> &, best &out)
{
    auto before = [](const auto &a, const auto &b) { return a.first > b.first || (a.first == b.first && a.second < b.second); };
    for (std::size_t i = 0; i < k; i++)
        out[i] = {row[i], std::uint32_t(i)};
    std::make_heap(out.begin(), out.end(), before);
    for (std::size_t i = k; i < n; i++) {
        if (!(row[i] > out.front().first))
            continue;
        std::pop_heap(out.begin(), out.end(), before);
        out.back() = {row[i], std::uint32_t(i)};
        std::push_heap(out.begin(), out.end(), before);
    }
    std::sort_heap(out.begin(), out.end(), before);
}

template <typename Work> double measure(Work work, const std::vector<float> &data, std::size_t n, std::uint64_t &sum)
{
    using clock = std::chrono::steady_clock;
    std::vector<std::uint32_t> order(n);
    best out(k);
    std::vector<double> us;
    for (std::size_t r = 0; r <= runs; r++) {
        auto start = clock::now();
        for (std::size_t row = 0; row < rows; row++) {
            work(data.data() + row * n, n, order, out);
            sum += out[k - 1].second;
        }
        if (r)
            us.push_back(std::chrono::duration<double, std::micro>(clock::now() - start).count());
    }
    std::sort(us.begin(), us.end());
    return us[runs / 2];
}

} // namespace

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        std::size_t n = std::strtoul(argv[i], nullptr, 10);
        std::uint64_t state = UINT64_C(0x6f70656e647665), one = 0, other = 0;
        if (n < k)
            return 2;
        std::vector<float> data(rows * n);
        for (float &value : data)
            value = normal(state);
        double sorted = measure(partial_sort, data, n, one), heaped = measure(heap, data, n, other);
        if (one != other)                       // both have the same positions
            return 1;
        std::printf("{\"columns\":%zu,\"partial_sort\":%.4g,\"heap\":%.4g}\n", n, sorted, heaped);
    }
    return 0;
}
