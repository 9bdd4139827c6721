// biome-ignore lint/performance/noBarrelFile: the feature's one door
export { embedded } from './embed.ts'
export { judgeImage, keepImage, MAX_IMAGE } from './keep.ts'
export { serveFile } from './serve.ts'
