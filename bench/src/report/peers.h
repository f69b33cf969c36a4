#pragma once

#include <string>
#include <vector>

#include "core/peers_result.h"
#include "report/sections.h"

// What a run of `lamina-bench peers` looks like.
namespace lamina::bench {

// "0.9905"; "1" only when nothing was missed.
std::string recall_text(double recall);

// Bars of the time of one query on a logarithmic axis, one group per data set,
// the recall beside each.
std::string peers_chart(const PeersResult& result, const PeerDataInfo& data);

// Also a part of the ladder's report.
std::vector<Section> peers_sections(const PeersResult& result);

std::string peers_to_html(const PeersResult& result);
std::string peers_to_markdown(const PeersResult& result);

// What is printed at the end of a run.
std::string peers_console_report(const PeersResult& result);

}  // namespace lamina::bench
