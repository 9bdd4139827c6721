import type { ComponentType } from 'react'
import { createElement, lazy, useState } from 'react'
import { ApiError } from '#lib/api/api-error.ts'
import { loadAtLast } from '#lib/net/load-at-last.ts'
import { loadFile } from '#lib/net/load-file.ts'
import { toastProblem } from '../telling/toast.ts'

type Loaded<P> = { readonly default: ComponentType<P> }
type Options = {
  /** True where somebody has asked for it and waits: that it does not come is told. */
  readonly isAskedFor?: boolean
}

/** A part that can be asked for before it is shown; `preload` rejects where it does not come. */
export type LazyPart<P> = ComponentType<P> & { readonly preload: () => Promise<void> }

/**
 * A part of a screen whose code comes when it is first shown. Without a network it is late and the rest of the screen stays as it is:
 * React's own `lazy` would put the error page in its place, and never ask again.
 */
export const lazyPart = <P extends object>(load: () => Promise<Loaded<P>>, { isAskedFor = false }: Options = {}): LazyPart<P> => {
  let loaded: ComponentType<P> | null = null
  const loadOnce = async (): Promise<Loaded<P>> => {
    const part = await loadFile(load)
    loaded = part.default
    return part
  }
  const tell = (): void => {
    if (isAskedFor) toastProblem(new ApiError(0, undefined))
  }
  const Later = lazy(() => loadAtLast(loadOnce, tell))
  const Part = (props: P) => {
    // What is there is shown at once: what React has waited for it shows a third of a second later.
    const [Shown] = useState<ComponentType<P>>(() => loaded ?? Later)
    return createElement(Shown, props)
  }
  return Object.assign(Part, { preload: async () => void (await loadOnce()) })
}
