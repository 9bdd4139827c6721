export { recordAction } from './commands.ts'
export { auditedStore, commandLineStore, storeOf } from './service.ts'
