export { type Acceptance, acceptanceOf } from './acceptance.ts'
export { agreementCsv } from './file.ts'
export { agreementOf } from './service.ts'
