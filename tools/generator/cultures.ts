import { foldText } from '#contracts';

/** A piece of a name as it is written, and the same in a-z for slugs and handles. */
export interface NamePart {
  readonly written: string;
  readonly latin: string;
}

/** How the people of a region are called: common given names, surnames put together from invented pieces. */
export interface Culture {
  readonly given: readonly NamePart[];
  readonly surnameStarts: readonly NamePart[];
  readonly surnameEnds: readonly NamePart[];
  readonly surnameFirst: boolean;
  readonly separator: string;
}

/** Reads `Zoë José 하늘=haneul`: one part per word, its Latin form derived where it isn't given. */
function parts(text: string): NamePart[] {
  return text.split(' ').map((word) => {
    const [written = '', latin = foldText(written).replace(/[^a-z]/g, '')] = word.split('=');
    return { written, latin };
  });
}

function culture(
  given: string,
  surnameStarts: string,
  surnameEnds: string,
  { surnameFirst = false, separator = ' ' } = {},
): Culture {
  const surname = { surnameStarts: parts(surnameStarts), surnameEnds: parts(surnameEnds) };
  return { given: parts(given), ...surname, surnameFirst, separator };
}

/** Cultures by region; neighbouring countries share one. */
export const cultures = {
  english: culture(
    'Ava Mason Lily Owen Ruby Caleb Nora Wyatt Hazel Jude Chloë Miles Tessa Reid Ivy Zoë Dean Piper Cole Renée',
    'Bram Brind Calde Elmer Fenne Haskel Kestle Oakle Pember Quill Ravel Tamber Thornel Wexel Windle Yarrow',
    'berry combe ford gate hollow lyn mere more ridge stead wick worth',
  ),
  spanish: culture(
    'Lucía Mateo Sofía Andrés Inés Iván Martín Noelia Óscar Paloma Raúl Rocío Tomás Verónica Ximena Álvaro Begoña Íñigo',
    'Alb Bel Cañ Dur Esp Gal Lor Mont Nav Pel Quin Riv Sal Tor Val Zam',
    'ádez amar andes arro eda enza illán ímez ordo oval uelos urrez',
  ),
  french: culture(
    'Chloé Gaël Élodie Hélène Loïc Maëlle Noémie Rémi Sévérine Théo Zélie Jérôme Anaïs François Benoît Océane',
    'Bel Cour Dam Flam Gren Lav Mar Noir Per Rous Sauv Tour Val Vér',
    'bois champ enne etière euil gnac illard mont oix ôme rin vigne',
  ),
  german: culture(
    'Jürgen Lena Björn Käthe Sören Mia Jonas Grete Lukas Änne Moritz Hanna Rüdiger Frieda Öznur Till',
    'Acker Birk Dorn Eich Falk Grün Hohl Kirsch Lind Möhr Nuss Rosen Stein Über Weiß',
    'anger ecke graben halde kamp lohe matten reuth specht winkel zaun zell',
  ),
  turkish: culture(
    'Ayşe Çağla Deniz Elif Gökhan İpek Kerem Melis Oğuz Özge Şirin Tuğba Umut Yağmur Zeynep Barış',
    'Ak Altın Çelik Demir Göl Güneş Işık Kara Kuş Taş Yel Yıldız',
    'ağaç bulut dere ırmak köy pınar seren tepe ufuk yonca',
  ),
  hangul: culture(
    '가온=gaon 나래=narae 다솜=dasom 도담=dodam 라온=raon 마루=maru 미르=mireu 별하=byeolha 새롬=saerom 슬아=seula 아라=ara 온유=onyu 초롱=chorong 하람=haram 한결=hangyeol 해솔=haesol',
    '갈=gal 눈=nun 달=dal 들=deul 물=mul 빛=bit 솔=sol 샘=saem 잎=ip 참=cham 풀=pul 흰=huin',
    '내=nae 누리=nuri 말=mal 못=mot 벗=beot 뫼=moe 터=teo 한=han',
    { surnameFirst: true, separator: '' },
  ),
  han: culture(
    '晓云=xiaoyun 若溪=ruoxi 子墨=zimo 雨晴=yuqing 星河=xinghe 梓涵=zihan 天佑=tianyou 静怡=jingyi 思远=siyuan 語彤=yutong 浩然=haoran 夢瑤=mengyao 一诺=yinuo 沐阳=muyang 芷若=zhiruo 清欢=qinghuan',
    '岚=lan 墨=mo 霁=ji 朔=shuo 青=qing 砚=yan 鹭=lu 荻=di 槐=huai 霜=shuang',
    '台=tai 川=chuan 陵=ling 泽=ze 桥=qiao 渡=du 谷=gu 庭=ting',
    { surnameFirst: true, separator: '' },
  ),
  japanese: culture(
    'あおい=aoi さくら=sakura ひなた=hinata ゆい=yui みお=mio りく=riku そら=sora はると=haruto カノン=kanon ルナ=runa レイ=rei メイ=mei 陽葵=himari 蓮=ren 結月=yuzuki 湊=minato',
    '雪=yuki 霧=kiri 鳴=naru 澄=sumi 朝=asa 夕=yuu 藍=ai 苔=koke 燈=tomo 波=nami',
    '乃瀬=nose ヶ浦=gaura 守=mori 辺谷=beya 帆=ho ノ森=nomori 浜田原=hamadawara 江崎野=ezakino',
    { surnameFirst: true },
  ),
  arabic: culture(
    'ليلى=layla عمر=omar نور=nour سلمى=salma كريم=karim هدى=huda زياد=ziad ريم=reem طارق=tariq دانة=dana يوسف=yousef مريم=maryam فارس=faris جنى=jana سامي=sami أمل=amal',
    'ال=al أبو=abu بو=bou بن=ben',
    'زهران=zahran غيثان=ghaithan نخيل=nakhil وردان=wardan صحراوي=sahrawi بحيرة=buhaira قمران=qamran سنابل=sanabel ريحاني=rayhani مرجان=murjan',
  ),
  russian: culture(
    'Алина=alina Артём=artyom Вера=vera Глеб=gleb Дарья=darya Егор=egor Злата=zlata Илья=ilya Ксения=ksenia Лев=lev Мила=mila Олег=oleg Полина=polina Семён=semyon Ульяна=ulyana Юля=yulya',
    'Ветрол=vetrol Горнозв=gornozv Дубролис=dubrolis Звоноб=zvonob Клёноп=klyonop Лугоц=lugots Морозл=morozl Озёрк=ozyork Рябинош=ryabinosh Снегол=snegol Туманож=tumanozh',
    'аев=aev ецкий=etsky ин=in ичев=ichev ов=ov овский=ovsky ской=skoy увин=uvin ярин=yarin',
  ),
  hindi: culture(
    'आरव=aarav दिया=diya ईशान=ishaan काव्या=kavya मीरा=meera नील=neel प्रिया=priya रोहन=rohan सान्वी=saanvi तारा=tara विहान=vihaan ज़ोया=zoya अनन्या=ananya कबीर=kabir',
    'चन्द्र=chandra दीप=deep गिरि=giri जल=jal कमल=kamal मेघ=megh नव=nav सूर्य=surya वन=van',
    'वंशी=vanshi पाल=pal वाड़ी=wadi रेखा=rekha मणि=mani धारी=dhari नाथी=nathi पुरिया=puriya',
  ),
};
