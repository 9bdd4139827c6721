import { Suspense, startTransition, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { loadMessages } from '../messages.ts'
import { useTranslation } from '../use-translation.ts'

/** With hooks behind that of the texts, as most parts have. */
const Late = ({ area, name }: { readonly area: string; readonly name: string }) => {
  const { t } = useTranslation(area)
  const [rendered, setRendered] = useState(0)
  useEffect(() => setRendered((before) => before + 1), [])
  return rendered > 0 && <p>{t(name)}</p>
}

type Asked = {
  readonly area: string
  /** A text of the area. */
  readonly name: string
  /** The file is there already, so that the texts arrive while React still looks at what waits for them. */
  readonly isNear: boolean
}

/** A page of parts whose texts nobody has loaded ahead, for tests: `showLate` is how they ask for one. */
const Page = () => {
  const [asked, setAsked] = useState<Asked | null>(null)
  const showLate = async (next: Asked): Promise<void> => {
    if (next.isNear) await loadMessages(next.area, 'en')
    if (next.isNear) setAsked(next)
    else startTransition(() => setAsked(next))
  }
  Object.assign(window, { showLate })
  return <Suspense fallback="…">{asked && <Late key={asked.area} area={asked.area} name={asked.name} />}</Suspense>
}
createRoot(document.body.appendChild(document.createElement('div'))).render(<Page />)
