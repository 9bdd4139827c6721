import '#ui/tokens.css'
import '#ui/base.css'
import i18next from 'i18next'
import { createRoot } from 'react-dom/client'
import { initReactI18next } from 'react-i18next'
import common from '#i18n/messages/common.en.json' with { type: 'json' }
import { ToastRegion } from '../ToastRegion.tsx'
import { toast } from '../toast.ts'

/** A page with nothing but its notifications, for tests of what no screen shows: `showToast` is how they ask for one. */
const show = async (): Promise<void> => {
  await i18next.use(initReactI18next).init({ lng: 'en', ns: ['common'], defaultNS: 'common', resources: { en: { common } } })
  Object.assign(window, { showToast: toast })
  createRoot(document.body.appendChild(document.createElement('div'))).render(<ToastRegion />)
}
void show()
