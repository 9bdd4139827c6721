export { releaseEverywhere } from './service.ts'
export { adoptQueueSettings } from './settings.ts'
