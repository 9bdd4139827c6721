export { seqsOf } from './scope.ts'
export { releaseEverywhere } from './service.ts'
export { adoptQueueSettings, othersAnswerAssigned } from './settings.ts'
