#include "tarn/catalog/network_filesystem.h"

#include <sys/vfs.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tarn {

std::string_view NetworkFilesystemName(int64_t magic) {
  // linux/magic.h knows only some of these.
  static constexpr std::array<std::pair<uint32_t, std::string_view>, 18> kMagics = {{
      {0x6969, "NFS"},
      {0x517B, "SMB"},
      {0xFF534D42, "CIFS"},
      {0xFE534D42, "SMB2"},
      {0x65735546, "FUSE"},
      {0x01021997, "9P"},
      {0x5346414F, "AFS"},
      {0x6B414653, "AFS"},
      {0x00C36400, "Ceph"},
      {0x73757245, "Coda"},
      {0x564C, "NCP"},
      {0x01161970, "GFS2"},
      {0x7461636F, "OCFS2"},
      {0x0BD00BD0, "Lustre"},
      {0x47504653, "GPFS"},
      {0x19830326, "BeeGFS"},
      {0x786F4256, "vboxsf"},
      {0xAAD7AAEA, "PanFS"},
  }};
  for (const auto& [known, name] : kMagics) {
    if (static_cast<uint32_t>(magic) == known) return name;
  }
  return {};
}

Status RefuseNetworkFilesystem(const std::string& folder) {
  struct statfs info = {};
  if (statfs(folder.c_str(), &info) != 0) {
    return NotFound("no folder '" + folder + "': " + std::strerror(errno));
  }
  const std::string_view name = NetworkFilesystemName(static_cast<int64_t>(info.f_type));
  if (name.empty()) return OkStatus();
  return Invalid("'" + folder + "' is on " + std::string(name) +
                 ", whose file locks SQLite cannot rely on, so a catalog there could be corrupted; "
                 "keep the lake's folder on a local disk (tables themselves may be anywhere: open "
                 "them by path)");
}

}  // namespace tarn
