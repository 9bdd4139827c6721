import type { Home } from '@postil/contract/home.ts'
import { Suspense } from 'react'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'

const Examples = lazyPart(() => import('#features/examples/public.ts').then((module) => ({ default: module.Examples })), {
  reportsFailure: true,
})

/** Example datasets, loaded when they are first shown. */
export const ExampleList = ({ home, isNarrow = false }: { readonly home: Home; readonly isNarrow?: boolean }) => (
  <Suspense fallback={<Skeleton height="6lh" />}>
    <Examples home={home} isNarrow={isNarrow} />
  </Suspense>
)
