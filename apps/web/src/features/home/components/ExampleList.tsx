import type { Home } from '@postil/contract/home.ts'
import { Suspense } from 'react'
import { lazyPart } from '#ui/waiting/lazy-part.ts'
import { Skeleton } from '#ui/waiting/Skeleton.tsx'

const Examples = lazyPart(() => import('#features/examples/service.ts').then((module) => ({ default: module.Examples })), {
  isAskedFor: true,
})

/** Datasets to begin with at once, which come when they are first shown. */
export const ExampleList = ({ home }: { readonly home: Home }) => (
  <Suspense fallback={<Skeleton height="6lh" />}>
    <Examples home={home} />
  </Suspense>
)
