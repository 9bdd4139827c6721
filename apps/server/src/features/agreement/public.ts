export { agreementCsv } from './file.ts'
export { agreementOf } from './service.ts'
