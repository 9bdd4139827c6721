// biome-ignore lint/performance/noBarrelFile: the page knows one place for what the API says
export { ApiError } from '@postil/client/api-error.ts'
