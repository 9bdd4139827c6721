export { releaseEverywhere } from './service.ts'
export { adoptQueueSettings, othersAnswerAssigned } from './settings.ts'
