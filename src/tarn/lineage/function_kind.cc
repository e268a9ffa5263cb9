#include "tarn/lineage/function_kind_internal.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tarn::lineage {
namespace {

// Names as the engines' own function lists have them: Hive, Spark, Trino, DuckDB, PostgreSQL,
// Impala, Snowflake's common ones. Separated by spaces.
struct Names {
  FunctionKind kind;
  std::string_view names;
};

constexpr std::array kListed = {
    Names{FunctionKind::kAggregate,
          "sum count avg mean min max stddev stddev_pop stddev_samp std stdev variance var_pop "
          "var_samp var corr covar_pop covar_samp collect_list collect_set collect array_agg "
          "array_unique_agg string_agg listagg group_concat wm_concat median mode "
          "approx_count_distinct approx_distinct ndv count_if countif bool_and bool_or booland_agg "
          "boolor_agg every any some any_value arbitrary max_by min_by arg_max arg_min argmax "
          "argmin arg_max_null arg_min_null bit_and bit_or bit_xor bitwise_and_agg bitwise_or_agg "
          "bitwise_xor_agg bit_and_agg bit_or_agg bit_xor_agg histogram histogram_numeric "
          "numeric_histogram kurtosis kurtosis_pop skewness skewness_pop skew regr_avgx regr_avgy "
          "regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy map_agg "
          "multimap_agg map_union map_union_sum map_concat_agg checksum geometric_mean entropy "
          "hll_sketch_agg hll_union_agg approx_set merge hll_add_agg tdigest_agg qdigest_agg "
          "percentile_approx approx_percentile approx_quantile percentile percentile_list quantile "
          "reservoir_quantile approx_top_k approx_most_frequent approx_top_sum reduce_agg try_sum "
          "try_avg product sumkahan kahan_sum fsum favg sumdistinct ngrams context_ngrams xmlagg "
          "json_agg jsonb_agg json_object_agg jsonb_object_agg json_arrayagg json_objectagg "
          "json_group_array json_group_object object_agg bitmap_construct_agg bitmap_or_agg "
          "bitmap_and_agg rb_build_agg rb_or_agg bloom_filter_agg compute_bit_vector "
          "compute_bit_vector_hll compute_stats count_min_sketch appx_median list "
          "bitstring_agg mad sem kll_sketch_agg theta_sketch_agg range_agg array_concat_agg "
          "array_union_agg set_agg set_union set_digest_agg make_set_digest vector_sum "
          "approx_count_distinct_accumulate grouping_concat"},
    Names{FunctionKind::kValue,
          "first last first_value last_value nth_value lag lead first_value_ignore_nulls "
          "last_value_ignore_nulls"},
    Names{FunctionKind::kRanking,
          "row_number rank dense_rank percent_rank cume_dist ntile rank_dense rowid "
          "monotonically_increasing_id uuid rand random"},
    Names{
        FunctionKind::kMasking,
        "md5 md5_number md5_number_lower md5_number_upper md5_hex md5_binary sha sha1 sha2 sha224 "
        "sha256 sha384 sha512 sha1_hex sha2_hex sha1_binary sha2_binary hash xxhash64 xxhash "
        "murmur3 murmur3hash murmur_hash murmurhash3 crc32 crc32c spooky_hash_v2_32 "
        "spooky_hash_v2_64 farm_fingerprint fnv_hash hmac hmac_md5 hmac_sha1 hmac_sha256 "
        "hmac_sha512 digest crypt bcrypt mask mask_first_n mask_last_n mask_show_first_n "
        "mask_show_last_n mask_hash"},
    Names{FunctionKind::kIf, "if iff iif nvl2"},
    Names{FunctionKind::kDecode, "decode decode_oracle"},
    Names{FunctionKind::kGrouping, "grouping grouping_id grouping__id"},
    Names{FunctionKind::kOrderedSet,
          "percentile_cont percentile_disc quantile_cont quantile_disc approx_percentile_cont"},
    Names{FunctionKind::kStruct, "struct row"},
    Names{FunctionKind::kNamedStruct, "named_struct struct_pack"},
    Names{FunctionKind::kUnit,
          "dateadd date_add datediff date_diff timestampadd timestampdiff timestamp_diff "
          "timestamp_add date_trunc date_part datepart datetime_trunc timestamp_trunc time_diff "
          "trunc date_sub last_day next_day datesub datename time_slice"},
};

constexpr std::array<std::string_view, 30> kTimeUnits = {
    "day",     "dayofmonth",   "dayofweek",   "dayofyear",    "days",    "dd",
    "doy",     "dow",          "hh",          "hour",         "hours",   "microsecond",
    "mi",      "microseconds", "millisecond", "milliseconds", "minute",  "minutes",
    "mm",      "month",        "months",      "nanosecond",   "quarter", "second",
    "seconds", "week",         "weekday",     "year",         "years",   "yyyy"};

struct Entry {
  std::string_view name;
  FunctionKind kind;
};

// Calls `visit(name, kind)` for each name of the lists above.
template <class Visit>
constexpr void ForEachListed(const Visit& visit) {
  for (const auto& [kind, list] : kListed) {
    for (size_t at = 0; at < list.size();) {
      const size_t end = std::min(list.find(' ', at), list.size());
      visit(list.substr(at, end - at), kind);
      at = end + 1;
    }
  }
}

constexpr size_t kCount = [] {
  size_t count = 0;
  ForEachListed([&](std::string_view, FunctionKind) { ++count; });
  return count;
}();

constexpr std::array<Entry, kCount> kByName = [] {
  std::array<Entry, kCount> entries{};
  size_t at = 0;
  ForEachListed([&](std::string_view name, FunctionKind kind) { entries[at++] = {name, kind}; });
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return entries;
}();

}  // namespace

FunctionKind FunctionKindOf(std::string_view name) {
  const auto found = std::lower_bound(
      kByName.begin(), kByName.end(), name,
      [](const Entry& entry, std::string_view wanted) { return entry.name < wanted; });
  return found != kByName.end() && found->name == name ? found->kind
                                                       : FunctionKind::kTransformation;
}

bool IsTimeUnit(std::string_view word) {
  return std::find(kTimeUnits.begin(), kTimeUnits.end(), word) != kTimeUnits.end();
}

}  // namespace tarn::lineage
