/** What a client tells its model about the server as a whole. */
export const instructions = [
  'Finds verified creators on YouTube, Instagram, TikTok, Facebook and X.',
  'Begin with list_filters: it is free and shows which countries, categories and languages there are.',
  'lookup_accounts is free and turns profile links and handles into slugs for get_creator.',
  'A search that finds somebody costs 1 credit and 1 more for each filter used; one that finds nobody is free.',
  'A profile costs 1 credit. A call that fails costs nothing.',
  'max_credits bounds what a call may cost; get_balance is free and says what is left.',
].join(' ');
