import fc from 'fast-check'
import type { Entry } from '../answers.ts'

/** Answers with gaps: at most one per unit and rater, in any order. In some samples, all answers are equal or from one rater. */
export const anyEntries = (values: number): fc.Arbitrary<Entry[]> =>
  fc
    .uniqueArray(fc.record({ unit: fc.nat(7), rater: fc.nat(4), value: fc.oneof(fc.constant(0), fc.nat(values - 1)) }), {
      selector: ({ unit, rater }) => `${unit} ${rater}`,
      maxLength: 40,
    })
    .chain((entries) =>
      fc.constantFrom(
        entries,
        entries.map((one) => ({ ...one, value: 0 })),
        entries.filter(({ rater }) => rater === 0),
      ),
    )
