#include "tarn/format/delta/actions.h"

#include <gtest/gtest.h>

namespace tarn::delta {
namespace {

TEST(DeletionVectorDescriptor, UniqueIdNamesTheOffsetOnlyIfThereIsOne) {
  DeletionVectorDescriptor vector{'u', "ab^-aqEH.-t@S}K{vb[*k^", 4, 40, 6};
  EXPECT_EQ(vector.UniqueId(), "uab^-aqEH.-t@S}K{vb[*k^@4");
  vector.offset.reset();
  EXPECT_EQ(vector.UniqueId(), "uab^-aqEH.-t@S}K{vb[*k^");
}

}  // namespace
}  // namespace tarn::delta
