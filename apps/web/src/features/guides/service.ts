// biome-ignore lint/performance/noBarrelFile: the feature's one door
export { GuidesLink } from './components/GuidesLink.tsx'
