// biome-ignore lint/performance/noBarrelFile: the page imports API errors from this module only
export { ApiError } from '@postil/client/api-error.ts'
