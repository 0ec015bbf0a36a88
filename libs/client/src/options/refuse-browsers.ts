interface Navigator {
  readonly userAgent?: string;
  readonly product?: string;
}

/**
 * Throws where people could read the key: in a browser's pages and workers, all of which call themselves Mozilla, and in
 * React Native (spec 5.3). Servers and edge workers have no navigator, or one with another name.
 */
export function refuseBrowsers(): void {
  const navigator = Reflect.get(globalThis, 'navigator') as Navigator | undefined;
  if (!navigator?.userAgent?.startsWith('Mozilla/') && navigator?.product !== 'ReactNative') return;
  throw new TypeError(
    'This runs on a device of your users, who could read the API key and spend its credits: call the service from your ' +
      'server. Where the key is the own key of whoever uses the device, dangerouslyAllowBrowser: true allows it.',
  );
}
