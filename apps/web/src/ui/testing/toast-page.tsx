import '#ui/styles/tokens.css'
import '#ui/styles/base.css'
import { createRoot } from 'react-dom/client'
import common from '#i18n/messages/common.en.json' with { type: 'json' }
import { addTexts } from '#i18n/texts.ts'
import { ToastRegion } from '../telling/ToastRegion.tsx'
import { toast } from '../telling/toast.ts'

/** A page with nothing but its notifications, for tests of what no screen shows: `showToast` is how they ask for one. */
const show = (): void => {
  addTexts('en', 'common', common)
  Object.assign(window, { showToast: toast })
  createRoot(document.body.appendChild(document.createElement('div'))).render(<ToastRegion />)
}
show()
