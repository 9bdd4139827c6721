export { GuidesLink } from './components/GuidesLink.tsx'
export { GuideTopics } from './components/GuideTopics.tsx'
