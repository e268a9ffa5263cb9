#pragma once

#include <cstdint>

namespace tarn {

// A day of the proleptic Gregorian calendar.
struct CivilDate {
  int64_t year = 1970;
  int64_t month = 1;  // 1 to 12
  int64_t day = 1;    // 1 to 31
};

// The date that lies `days` after 1970-01-01 (before it when negative); exact for every int32 and
// far beyond (Howard Hinnant's civil_from_days).
CivilDate CivilFromDays(int64_t days);

}  // namespace tarn
