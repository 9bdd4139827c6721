import type { Home } from '@postil/contract/home.ts'
import { Suspense } from 'react'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'

const Examples = lazyPart(() => import('#features/examples/public.ts').then((module) => ({ default: module.Examples })))

/** Example datasets, loaded when they are first shown. Nobody has asked for them, so a failure to load them is not reported. */
export const ExampleList = ({ home, isNarrow = false }: { readonly home: Home; readonly isNarrow?: boolean }) => (
  <Suspense fallback={<Skeleton height="6lh" />}>
    <Examples home={home} isNarrow={isNarrow} />
  </Suspense>
)
