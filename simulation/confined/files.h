// Restricts which files a confined program may open (Landlock, landlock(7)): the program's own
// files, and those that are named. Opening any other file fails as if it belonged to another user.
#pragma once

#include <string>
#include <vector>

namespace hocket::confined {

struct Files {
  std::string program;               // the program to start; also allows the system's libraries
  std::vector<std::string> read;     // files, and folders with all their content
  std::vector<std::string> written;  // the same; existing files only: none can be created or
                                     // removed
  std::vector<std::string> made;     // folders in which files may be created and removed
  std::vector<std::string> run;      // folders with programs that it may start
};

/// Confines this process and its descendants from now on. Returns false, with the reason in errno,
/// if the computer cannot do it, or not completely.
bool confine_to(const Files& files);

}  // namespace hocket::confined
