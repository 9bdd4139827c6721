import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'

/** The answers that people have given to a record. Leaves out published final answers, because they are shown separately. */
export const givenAnswers = ({ responses = [] }: AnnotationRecord): readonly Response[] =>
  responses.filter(({ gold }) => gold === undefined)
