import { lazyPart } from '#ui/loading/lazy-part.ts'
import type { FieldSlice } from '../define.ts'

const View = lazyPart(() => import('./View.tsx').then((module) => ({ default: module.ImageView })))

export const slice: FieldSlice<'image'> = {
  kind: 'image',
  View,
  isSearchable: false,
  folds: false,
  plainText: String,
}
