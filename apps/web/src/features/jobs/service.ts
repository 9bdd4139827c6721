// biome-ignore lint/performance/noBarrelFile: the feature's one door
export { WithReason } from './components/WithReason.tsx'
