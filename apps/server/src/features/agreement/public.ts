export { agreementCsv } from './file.ts'
export { measureInThread } from './measure-in-thread.ts'
export type { Answers } from './measures/answers.ts'
export { bootstrapInterval, type Interval } from './measures/bootstrap.ts'
export { interval as squaredDistance, nominal as nominalDistance } from './measures/distances.ts'
export { kappaInterval } from './measures/kappa-interval.ts'
export type { MeasureInput, Measures } from './measures/measure.ts'
export {
  type Categories,
  hasCategories,
  type QuestionValues,
  readCategories,
  readSubmittedTo,
  readValues,
} from './queries.ts'
export { readReference } from './reading/final.ts'
export { agreementOf } from './service.ts'
