export { embedImage } from './embed.ts'
export { MAX_IMAGE, storeImage, storeNamedImage, validateImage } from './store-image.ts'
