#pragma once

#include "fuzz/target.h"

// One function per target; the table of targets.cc names them all.
namespace lamina::fuzz {

Target json_target();
Target texts_target();
Target edits_target();
Target filters_target();
Target points_target();
Target queries_target();
Target collections_target();
Target replies_target();
Target tensors_target();
Target url_target();
Target head_target();
Target connection_target();
Target log_target();
Target snapshot_target();
Target manifest_target();
Target graph_target();
Target data_files_target();
Target directory_target();

}  // namespace lamina::fuzz
