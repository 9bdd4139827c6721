import { languageName, languages } from '#i18n/languages.ts'
import { changeLanguage } from '#i18n/setup.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Select } from '#ui/controls/Select.tsx'
import { toastProblem } from '#ui/feedback/toast.ts'

/** A language menu, for users who don't read the language that their browser requests. */
export const LanguageChoice = () => {
  const { t, language } = useTranslation()
  return (
    <Select
      label={t('user.language')}
      value={language}
      options={languages.map((value) => ({ value, label: languageName(value) }))}
      onChange={(code) => void changeLanguage(code).catch(toastProblem)}
    />
  )
}
