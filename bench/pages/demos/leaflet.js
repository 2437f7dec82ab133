import leaflet from 'leaflet';
import 'leaflet/dist/leaflet.css';

document.getElementById('root').innerHTML = '<h2>Shops</h2><div id="map" style="width: 500px; height: 300px"></div>';
const map = leaflet.map('map', { zoomAnimation: false }).setView([48, 11], 6);
const done = [];
const shops = { Munich: [48.1, 11.6], Zurich: [47.4, 8.5] };
for (const [name, place] of Object.entries(shops))
  leaflet
    .marker(place, {
      title: name,
      alt: name,
      icon: leaflet.divIcon({ className: 'shop', iconSize: [20, 20], html: '●' }),
    })
    .addTo(map)
    .bindPopup(`<b>${name}</b> <button>Directions</button>`)
    .on('click', () => done.push(name));
leaflet.control.layers({ Roads: leaflet.layerGroup().addTo(map), Satellite: leaflet.layerGroup() }).addTo(map);
map.on('baselayerchange', ({ name }) => done.push(`layer ${name}`));
globalThis.truth = () => ({ done, zoom: map.getZoom() });
