import type { ValueProps } from '../define.ts'
import { Differing } from '../shared/Differing.tsx'

export const RatingValue = ({ value, other }: ValueProps<'rating'>) => (
  <Differing isDifferent={other !== undefined && other !== value}>
    <span>{value}</span>
  </Differing>
)
