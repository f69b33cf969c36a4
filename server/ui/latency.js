// Where the server's time for requests went: of the latest as a bar, of those
// before as columns. What browser and network took is told beside it, as it
// would leave nothing to be seen of the rest.

const kLayers = ["parse", "engine", "encode"];
const kKept = 60;
const kSvg = "http://www.w3.org/2000/svg";

const history = [];

export function milliseconds(value) {
  if (value >= 100) return `${value.toFixed(0)} ms`;
  if (value >= 1) return `${value.toFixed(2)} ms`;
  return `${(value * 1000).toFixed(0)} µs`;
}

function totalOf(layers) {
  return kLayers.reduce((sum, layer) => sum + layers[layer], 0);
}

function showBar(layers) {
  const bar = document.getElementById("latency-bar");
  const legend = document.getElementById("latency-legend");
  if (!bar.firstChild) {
    for (const layer of kLayers) {
      const part = document.createElement("span");
      part.className = layer;
      bar.append(part);
      const entry = document.createElement("li");
      entry.className = layer;
      const figure = document.createElement("span");
      figure.className = "figure";
      entry.append(layer, figure);
      legend.append(entry);
    }
    const network = document.createElement("li");
    network.className = "network";
    const figure = document.createElement("span");
    figure.className = "figure";
    network.append("browser and network", figure);
    legend.append(network);
  }
  kLayers.forEach((layer, i) => {
    // Below 1 in sum they would leave a rest of the bar empty.
    bar.children[i].style.flexGrow = String(1e6 * layers[layer]);
    legend.children[i].querySelector(".figure").textContent =
        milliseconds(layers[layer]);
  });
  legend.lastChild.querySelector(".figure").textContent =
      milliseconds(layers.network);
  document.getElementById("latency-total").textContent =
      milliseconds(totalOf(layers));
}

function showHistory() {
  const chart = document.getElementById("latency-history");
  const highest = Math.max(...history.map(totalOf));
  document.getElementById("latency-scale").textContent =
      `latest ${history.length}, highest ${milliseconds(highest)}`;
  chart.setAttribute("viewBox", `0 0 ${kKept} 100`);
  chart.replaceChildren();
  history.forEach((layers, i) => {
    let top = 100;
    for (const layer of kLayers) {
      const height = 100 * layers[layer] / highest;
      top -= height;
      const rect = document.createElementNS(kSvg, "rect");
      rect.setAttribute("class", layer);
      rect.setAttribute("x", String(kKept - history.length + i + 0.12));
      rect.setAttribute("width", "0.76");
      rect.setAttribute("y", String(top));
      rect.setAttribute("height", String(height));
      chart.append(rect);
    }
  });
}

export function showLatency(layers) {
  history.push(layers);
  if (history.length > kKept) history.shift();
  showBar(layers);
  showHistory();
}
