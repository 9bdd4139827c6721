import { Suspense, startTransition, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { loadMessages } from '../messages.ts'
import { useTranslation } from '../use-translation.ts'

/** A component that calls more hooks after `useTranslation`, as most components do. */
const LatePart = ({ area, name }: { readonly area: string; readonly name: string }) => {
  const { t } = useTranslation(area)
  const [rendered, setRendered] = useState(0)
  useEffect(() => setRendered((before) => before + 1), [])
  return rendered > 0 && <p>{t(name)}</p>
}

type ShownArea = {
  readonly area: string
  /** The key of a message in the area. */
  readonly name: string
  /**
   * Whether to load the message file before the component is shown. If true, the messages arrive so soon that React is still
   * processing the suspended component.
   */
  readonly isNear: boolean
}

/** A test page with components whose messages weren't preloaded. Tests show a component with `showLate`. */
const Page = () => {
  const [shownAreas, setShownAreas] = useState<ShownArea | null>(null)
  const showLate = async (next: ShownArea): Promise<void> => {
    if (next.isNear) await loadMessages(next.area, 'en')
    if (next.isNear) setShownAreas(next)
    else startTransition(() => setShownAreas(next))
  }
  Object.assign(window, { showLate })
  return (
    <Suspense fallback="…">
      {shownAreas && <LatePart key={shownAreas.area} area={shownAreas.area} name={shownAreas.name} />}
    </Suspense>
  )
}
createRoot(document.body.appendChild(document.createElement('div'))).render(<Page />)
