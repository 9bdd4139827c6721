export { agreementCsv } from './file.ts'
export { type Categories, hasCategories, readCategories } from './queries.ts'
export { agreementOf } from './service.ts'
