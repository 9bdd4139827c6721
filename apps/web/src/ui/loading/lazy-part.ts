import type { ComponentType } from 'react'
import { createElement, lazy, useState } from 'react'
import { ApiError } from '#lib/api/api-error.ts'
import { loadFile } from '#lib/net/load-file.ts'
import { loadWithRetries } from '#lib/net/load-with-retries.ts'
import { toastProblem } from '../feedback/toast.ts'

type LazyModule<P> = { readonly default: ComponentType<P> }
type Options = {
  /** Whether the user has asked for this part and is waiting for it. If so, a failure to load is reported. */
  readonly reportsFailure?: boolean
}

/** A part that can be loaded before it is shown. `preload` rejects if it can't be loaded. */
export type LazyPart<P> = ComponentType<P> & { readonly preload: () => Promise<void> }

/**
 * A part of a screen whose code loads when the part is first shown. Loading is retried until it succeeds. Until then, the rest of
 * the screen stays usable. React's own `lazy` would show the error page instead and never retry.
 */
export const lazyPart = <P extends object>(
  load: () => Promise<LazyModule<P>>,
  { reportsFailure = false }: Options = {},
): LazyPart<P> => {
  let loaded: ComponentType<P> | null = null
  const loadOnce = async (): Promise<LazyModule<P>> => {
    const part = await loadFile(load)
    loaded = part.default
    return part
  }
  const reportFailure = (): void => {
    if (reportsFailure) toastProblem(new ApiError(0, undefined))
  }
  const LazyComponent = lazy(() => loadWithRetries(loadOnce, reportFailure))
  const Part = (props: P) => {
    // Shows a loaded part immediately. If React had to wait for it, it would show the part a third of a second late.
    const [Shown] = useState<ComponentType<P>>(() => loaded ?? LazyComponent)
    return createElement(Shown, props)
  }
  return Object.assign(Part, { preload: async () => void (await loadOnce()) })
}
