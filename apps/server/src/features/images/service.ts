export { embedImage } from './embed.ts'
export { linkFile } from './link.ts'
export { serveFile, serveLinked } from './serve.ts'
export { MAX_IMAGE, storeImage, storeNamedImage, validateImage } from './store-image.ts'
