import type { ValueProps } from '../define.ts'

export const RatingValue = ({ value }: ValueProps<'rating'>) => <span>{value}</span>
