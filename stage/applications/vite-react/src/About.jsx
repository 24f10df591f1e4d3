const About = () => <p>About release-1</p>;

export default About;
