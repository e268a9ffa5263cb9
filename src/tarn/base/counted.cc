#include "tarn/base/counted.h"

#include "tarn/base/text.h"

namespace tarn {

std::string Counted(int64_t count, std::string_view noun) {
  std::string text = HumanCount(count) + " ";
  text += noun;
  if (count != 1) text += 's';
  return text;
}

}  // namespace tarn
