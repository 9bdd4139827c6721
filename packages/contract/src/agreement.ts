import { z } from 'zod'

/** Why a coefficient is undefined. */
export const UndefinedReason = z.enum(['one_annotator', 'no_overlap', 'no_variation', 'too_many_values'])
export type UndefinedReason = z.infer<typeof UndefinedReason>

/** All coefficients. The documentation of the wire explains them. */
export const MeasureName = z.enum([
  'alpha_nominal',
  'alpha_ordinal',
  'alpha_interval',
  'alpha_jaccard',
  'alpha_masi',
  'alpha_spans',
  'alpha_nominal_first',
  'tau_b',
  'kendall_w',
  'gwet_ac1',
  'gwet_ac2',
  'percent_agreement',
  'mean_absolute_difference',
  'equal_share',
  'edit_similarity',
  'f1_exact',
  'f1_overlap',
  'label_agreement',
])
export type MeasureName = z.infer<typeof MeasureName>
