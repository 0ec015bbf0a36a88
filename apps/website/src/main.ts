import { runService } from '#platform';
import { readWebsiteConfig } from './config/website-config.js';
import { startWebsite } from './start-website.js';

runService(process.env, { name: 'website', readConfig: readWebsiteConfig, start: startWebsite });
