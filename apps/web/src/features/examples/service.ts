// biome-ignore lint/performance/noBarrelFile: the feature's one door
export { Examples } from './components/Examples.tsx'
