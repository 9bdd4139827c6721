export { embedded } from './embed.ts'
export { judgeImage, keepImage, keepNamedImage, MAX_IMAGE } from './keep.ts'
export { linkFile } from './link.ts'
export { serveFile, serveLinked } from './serve.ts'
