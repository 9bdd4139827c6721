import '#ui/styles/tokens.css'
import '#ui/styles/base.css'
import { createRoot } from 'react-dom/client'
import common from '#i18n/messages/common.en.json' with { type: 'json' }
import { addTexts } from '#i18n/texts.ts'
import { ToastRegion } from '../feedback/ToastRegion.tsx'
import { toast } from '../feedback/toast.ts'

/** A page that contains only notifications, for tests of cases that no screen shows. Tests call `showToast`. */
const show = (): void => {
  addTexts('en', 'common', common)
  Object.assign(window, { showToast: toast })
  createRoot(document.body.appendChild(document.createElement('div'))).render(<ToastRegion />)
}
show()
