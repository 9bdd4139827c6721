export { recordAction } from './commands.ts'
export { auditedStore, commandLineStore } from './service.ts'
